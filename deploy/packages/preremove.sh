#!/bin/sh
# Stops the service before its binary is removed. An upgrade leaves it running.
set -e

case "${1:-}" in
remove | 0) ;;
*) exit 0 ;;
esac
if [ -d /run/systemd/system ]; then
	systemctl disable --now strongroom.service || true
fi
