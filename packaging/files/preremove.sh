#!/bin/sh
# Runs before the package's files go. At updates the services run on, until the new package restarts them. Debian says
# "remove" or "upgrade"; RPM says how many versions stay, 0 or 1.
set -e

case $1 in
remove | 0)
	if [ -d /run/systemd/system ]; then
		systemctl disable --now muster.service muster-agent.service
	fi
	;;
esac
