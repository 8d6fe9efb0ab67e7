"""A shop that sends its orders through a relay: `shop.py RELAY FILE COUNT`. It may be killed at any time, and started again.

The file has a line for each order when its Id is made, and one when the relay has accepted it; both are on the disk before the
shop goes on.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

relay, file, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
orders, accepted = {}, set()


def read():
    with open(file, "ab+") as lines:
        lines.seek(0)
        content = lines.read()
        end = content.rfind(b"\n") + 1
        lines.truncate(end)  # a line without its end was never relied on
    for line in content[:end].splitlines():
        entry = json.loads(line)
        if "order" in entry:
            orders[entry["n"]] = entry["order"]
        else:
            accepted.add(entry["n"])


def write(entry):
    with open(file, "a") as lines:
        lines.write(json.dumps(entry) + "\n")
        lines.flush()
        os.fsync(lines.fileno())


def put(order):
    body = json.dumps(order).encode()
    path = f"/v3/ServiceOrder({order['Id']})"
    request = urllib.request.Request(relay + path, body, {"Content-Type": "application/json"}, method="PUT")
    while True:
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return response.status
        except urllib.error.HTTPError as error:
            if error.code < 500:
                sys.exit(f"{error.code} {error.read().decode()}")
        except OSError:
            pass
        time.sleep(0.05)


read()
for n in range(count):
    if n in accepted:
        continue
    if n not in orders:
        item = {
            "Name": f"Tea {n}",
            "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff",
            "Quantity": n % 7 + 1,
            "SellAtPricePerUnit": f"{n}.90",
        }
        orders[n] = {
            "Id": str(uuid.uuid4()),
            "CompanyId": 1000,
            "EntityId": 2000,
            "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50",
            "Notes": f"Python ☕ {n}",
            "Items": [item],
        }
        write({"n": n, "order": orders[n]})
    write({"n": n, "status": put(orders[n])})
    time.sleep(0.02)
