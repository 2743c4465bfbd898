#!/bin/sh
# Data, root key and user stay, also after a purge: without them, every credential
# would be lost.
set -e

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
case "${1:-}" in
purge | 0)
	echo "strongroom: kept: /var/lib/strongroom, /var/lib/strongroom-witness, /etc/strongroom and the user strongroom"
	;;
esac
