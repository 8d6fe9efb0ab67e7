"""Sends orders through the relay: shop.py http://127.0.0.1:4020 orders.json"""

import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

RELAY, FILE = sys.argv[1:]
OPTIONS = {"taxRates": [{"id": "9a8b7c6d-5e4f-4031-8293-a4b5c6d7e8f9", "rate": "0.05"}]}
HEADERS = {"Content-Type": "application/json", "Prefer": "wait=10"}


def ask(method, path, value=None):
    body = json.dumps(value).encode() if value else None
    request = Request(RELAY + path, body, HEADERS, method=method)
    try:
        with urlopen(request, timeout=20) as response:
            return response.status, json.loads(response.read() or "null")
    except HTTPError as error:  # the relay has responded: 400 and above
        return error.code, json.load(error)


# #region sell
def sell(order):
    status, evaluation = ask("POST", "/evaluate", {"order": order, "options": OPTIONS})
    if status != 200:
        return evaluation["detail"]
    for issue in evaluation["issues"]:
        print(f"  {issue['severity']} {issue['pointer']}: {issue['message']}")
    if not evaluation["ok"]:
        return "not sent"
    print(f"  total {evaluation['totals']['total'] or 'unknown'}")
    status, problem = ask("PUT", f"/v3/ServiceOrder({order['Id']})", order)
    if status >= 400:
        return f"refused {problem['detail']}"
    _, fate = ask("GET", f"/orders/{order['Id']}")
    return f"{fate['state']} {fate['order']['ReceiptNumber'] if fate['order'] else fate['detail']}"
# #endregion sell


with open(FILE, encoding="utf-8") as file:
    for order in json.load(file):
        print(order["Id"])
        print(f"  {sell(order)}")
