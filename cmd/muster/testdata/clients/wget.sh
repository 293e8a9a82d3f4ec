#!/bin/sh
# GNU wget. Its exit status is 8 when the answer is an error.
set -eu

call() {
	wget --quiet --server-response --user "$LOGIN_USER" --password "$LOGIN_PASSWORD" --ca-certificate "$CA" --tries 1 \
		--content-on-error --output-document "$WORK/body" "$@" 2>"$WORK/trace" || [ $? -eq 8 ]
	sed -n 's/^ *HTTP\/1\.1 \([0-9]*\).*/\1/p' "$WORK/trace" | tail -n 1
}

# value prints the text of the first element of a name.
value() { sed -n "s/.*<$1>\(.*\)<\/$1>.*/\1/p" "$WORK/body" | head -n 1; }

xml='Content-Type: application/xml'

status=$(call "$BASE/hardwares.xml?per_page=5")
echo "list $status $(value per_page)"

status=$(call --method POST --header "$xml" --body-data "<hardware><name>$NAME</name></hardware>" "$BASE/hardwares.xml")
id=$(value id)
echo "create $status $(value name)"

status=$(call --method PUT --header "$xml" --body-data "<hardware><tag>$NAME</tag></hardware>" "$BASE/hardwares/$id.xml")
echo "update $status $(value tag)"

status=$(call "$BASE/hardwares/$id.xml")
echo "read $status $(value name) $(value tag)"

status=$(call --method DELETE "$BASE/hardwares/$id.xml")
echo "delete $status $(value name)"

echo "gone $(call "$BASE/hardwares/$id.xml")"
