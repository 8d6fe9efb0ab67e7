"""Gives every generated order a new id, the same in path and body.

Random ids never agree, so every order would be rejected for that. Ids that schemathesis made invalid stay invalid, and an
order that is sent again by a link of the document keeps its id.
"""

import os
import uuid

import schemathesis

PLACEHOLDER = os.environ["PLACEHOLDER_ID"]


@schemathesis.hook
def before_call(ctx, case, kwargs):
    body, path = case.body, case.path_parameters
    if isinstance(body, dict) and body.get("Id") == PLACEHOLDER and path.get("orderId") == PLACEHOLDER:
        order_id = str(uuid.uuid4())
        case.body = {**body, "Id": order_id}
        case.path_parameters = {**path, "orderId": order_id}
