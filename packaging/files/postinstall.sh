#!/bin/sh
# Runs after the package's files are there, the first time and at updates.
set -e

if ! getent passwd muster >/dev/null; then
	useradd --system --user-group --no-create-home --home-dir /var/lib/muster --shell /usr/sbin/nologin --comment Muster muster
fi
# The service makes it too, but the first user may be added before it starts.
if ! [ -e /var/lib/muster ]; then
	mkdir -m 0700 /var/lib/muster
	chown muster:muster /var/lib/muster
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	systemctl try-restart muster.service muster-agent.service
fi
