"""Receives what the relay posts: WEBHOOK_SECRET=whsec_… python3 notified.py 8080"""

import hmac
import os
import sys
import time
from base64 import b64decode, b64encode
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        message, sent_at = self.headers.get("webhook-id", ""), self.headers.get("webhook-timestamp", "")
        content = f"{message}.{sent_at}.".encode() + body
        expected = f"v1,{b64encode(hmac.digest(KEY, content, 'sha256')).decode()}"
        signatures = self.headers.get("webhook-signature", "").split(" ")
        is_signed = any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures)
        if is_signed and abs(time.time() - int(sent_at)) <= 300:
            # Store it by the Id of the order: the same may come twice.
            print(message, body.decode(), flush=True)
            self.send_response(204)
        else:
            self.send_response(401)
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
