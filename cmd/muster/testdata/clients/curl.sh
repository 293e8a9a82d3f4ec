#!/bin/sh
# curl, which speaks the algorithm that is offered first (the user agent decides which that is), by HTTP 1.1 or 2; or with a
# token instead of a password.
set -eu

call() {
	if [ -n "${TOKEN:-}" ]; then
		set -- --header "Authorization: Bearer $TOKEN" "$@"
	else
		set -- --digest --user "$LOGIN_USER:$LOGIN_PASSWORD" "$@"
	fi
	curl --silent --show-error --cacert "$CA" "--http$HTTP" --user-agent "$AGENT" \
		--verbose --stderr "$WORK/trace" --output "$WORK/body" --write-out '%{http_code}' "$@"
	grep -qi "^> authorization: $PROOF" "$WORK/trace" ||
		{ echo "curl did not use $PROOF" >&2; cat "$WORK/trace" >&2; exit 1; }
}

# value prints the text of the first element of a name.
value() { sed -n "s/.*<$1>\(.*\)<\/$1>.*/\1/p" "$WORK/body" | head -n 1; }

status=$(call "$BASE/hardwares.xml?per_page=5")
echo "list $status $(value per_page)"

status=$(call --header 'Content-Type: application/xml' --data-binary "<hardware><name>$NAME</name></hardware>" "$BASE/hardwares.xml")
id=$(value id)
echo "create $status $(value name)"

status=$(call --request PUT --header 'Content-Type: application/xml' --data-binary "<hardware><tag>$NAME</tag></hardware>" "$BASE/hardwares/$id.xml")
echo "update $status $(value tag)"

status=$(call "$BASE/hardwares/$id.xml")
echo "read $status $(value name) $(value tag)"

status=$(call --request DELETE "$BASE/hardwares/$id.xml")
echo "delete $status $(value name)"

echo "gone $(call "$BASE/hardwares/$id.xml")"
