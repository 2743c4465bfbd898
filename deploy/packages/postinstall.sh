#!/bin/sh
# Creates the user, the directories and, on the first installation, a root key. Debian
# calls it with "configure" and the earlier version, RPM with the number of
# installed versions. It starts nothing: the operator first checks the settings.
set -e

upgrade=no
case "${1:-}" in
configure) [ -z "${2:-}" ] || upgrade=yes ;;
1) ;;
2) upgrade=yes ;;
*) exit 0 ;;
esac

if command -v systemd-sysusers >/dev/null; then
	systemd-sysusers strongroom.conf
elif ! getent passwd strongroom >/dev/null; then
	useradd --system --user-group --home-dir /var/lib/strongroom --no-create-home --shell /usr/sbin/nologin strongroom
fi
# As in tmpfiles.d, which needs systemd.
install -d -m 750 -o root -g strongroom /etc/strongroom /etc/strongroom/conf.d
install -d -m 700 -o strongroom -g strongroom /var/lib/strongroom /var/lib/strongroom-witness

# An existing database needs its own root key: never create another one.
key=/etc/strongroom/root.key
if [ ! -e "$key" ] && [ ! -e /var/lib/strongroom/strongroom.db ] && [ "$upgrade" = no ]; then
	/usr/bin/strongroom root-key create "$key" >/dev/null
	chown root:strongroom "$key"
	chmod 440 "$key"
	echo "strongroom: the root key is $key. Keep a copy offline: without it every credential is lost."
fi

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
if [ "$upgrade" = yes ]; then
	echo "strongroom: a running service still has the earlier version. Back up, then run: systemctl restart strongroom"
else
	echo "strongroom: to start the service, run: systemctl enable --now strongroom. Settings: /etc/strongroom/strongroom.yaml"
fi
