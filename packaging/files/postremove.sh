#!/bin/sh
# Runs after the package's files are gone. The data go with "purge" alone, which Debian has and RPM has not; the user
# stays, so that no other gets its number and with it the files that it may still have.
set -e

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
fi
if [ "$1" = purge ]; then
	rm -rf /var/lib/muster /var/lib/muster-agent /etc/muster
fi
