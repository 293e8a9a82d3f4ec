# Python with the requests library, one session.
import os
import xml.etree.ElementTree as ET

import requests
from requests.auth import HTTPDigestAuth

env = os.environ
base, name = env["BASE"], env["NAME"]
session = requests.Session()
if "TOKEN" in env:
    session.headers["Authorization"] = "Bearer " + env["TOKEN"]
else:
    session.auth = HTTPDigestAuth(env["LOGIN_USER"], env["LOGIN_PASSWORD"])
session.verify = env["CA"]
session.trust_env = False
xml = {"Content-Type": "application/xml"}


def value(response, tag):
    return ET.fromstring(response.content).findtext(tag)


r = session.get(base + "/hardwares.xml", params={"per_page": 5})
print("list", r.status_code, value(r, "per_page"))

r = session.post(base + "/hardwares.xml", data=f"<hardware><name>{name}</name></hardware>", headers=xml)
print("create", r.status_code, value(r, "name"))
address = r.headers["Location"]

r = session.put(address, data=f"<hardware><tag>{name}</tag></hardware>", headers=xml)
print("update", r.status_code, value(r, "tag"))

r = session.get(address)
print("read", r.status_code, value(r, "name"), value(r, "tag"))

r = session.delete(address)
print("delete", r.status_code, value(r, "name"))

print("gone", session.get(address).status_code)
