<?php
// Receives what the relay posts: WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:8080 notified.php

$key = base64_decode(substr(getenv('WEBHOOK_SECRET'), strlen('whsec_')));
[$id, $sentAt, $signatures] = array_map(
    fn ($name) => $_SERVER["HTTP_WEBHOOK_$name"] ?? '',
    ['ID', 'TIMESTAMP', 'SIGNATURE'],
);
$body = file_get_contents('php://input');
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$body", $key, true));
$isSigned = array_filter(explode(' ', $signatures), fn ($each) => hash_equals($expected, $each)) !== [];
if (!$isSigned || abs(time() - (int) $sentAt) > 300) {
    http_response_code(401);
    exit;
}
// Store it by the Id of the order: the same may come twice.
file_put_contents('php://stdout', "$id $body\n");
http_response_code(204);
