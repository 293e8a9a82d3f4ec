# Python's own urllib, which speaks MD5 alone.
import os
import ssl
import urllib.error
import urllib.request
import xml.etree.ElementTree as ET

env = os.environ
base, name = env["BASE"], env["NAME"]
passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
passwords.add_password(None, base, env["LOGIN_USER"], env["LOGIN_PASSWORD"])
opener = urllib.request.build_opener(
    urllib.request.ProxyHandler({}),
    urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=env["CA"])),
    urllib.request.HTTPDigestAuthHandler(passwords),
)


def call(method, address, document=None):
    request = urllib.request.Request(address, method=method, data=document and document.encode())
    if document:
        request.add_header("Content-Type", "application/xml")
    try:
        with opener.open(request) as response:
            return response.status, ET.fromstring(response.read()), response.headers
    except urllib.error.HTTPError as error:
        return error.code, ET.fromstring(error.read()), error.headers


status, doc, _ = call("GET", base + "/hardwares.xml?per_page=5")
print("list", status, doc.findtext("per_page"))

status, doc, headers = call("POST", base + "/hardwares.xml", f"<hardware><name>{name}</name></hardware>")
print("create", status, doc.findtext("name"))
address = headers["Location"]

status, doc, _ = call("PUT", address, f"<hardware><tag>{name}</tag></hardware>")
print("update", status, doc.findtext("tag"))

status, doc, _ = call("GET", address)
print("read", status, doc.findtext("name"), doc.findtext("tag"))

status, doc, _ = call("DELETE", address)
print("delete", status, doc.findtext("name"))

print("gone", call("GET", address)[0])
