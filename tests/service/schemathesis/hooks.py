"""Gives every order that schemathesis makes up an id of its own, the same in path and body.

Left to chance the two never agree, and all that is tested is that refusal. An id that was meant to be wrong stays wrong,
and an order that is sent again by a link of the document keeps its id.
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
