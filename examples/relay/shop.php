<?php
// Sends orders through the relay: shop.php http://127.0.0.1:4020 orders.json

[, $relay, $file] = $argv;
const OPTIONS = ['taxRates' => [['id' => '9a8b7c6d-5e4f-4031-8293-a4b5c6d7e8f9', 'rate' => '0.05']]];

function ask(string $method, string $path, mixed $value = null): array
{
    global $relay;
    $curl = curl_init($relay . $path);
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ['Content-Type: application/json', 'Prefer: wait=10'],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 20,
    ] + ($value === null ? [] : [CURLOPT_POSTFIELDS => json_encode($value)]));
    $body = curl_exec($curl);
    if ($body === false) {
        throw new RuntimeException(curl_error($curl));
    }
    return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), json_decode($body)];
}

function sell(object $order): string
{
    [$status, $evaluation] = ask('POST', '/evaluate', ['order' => $order, 'options' => OPTIONS]);
    if ($status !== 200) {
        return $evaluation->detail;
    }
    foreach ($evaluation->issues as $issue) {
        echo "  $issue->severity $issue->pointer: $issue->message\n";
    }
    if (!$evaluation->ok) {
        return 'not sent';
    }
    echo '  total ', $evaluation->totals->total ?? 'unknown', "\n";
    [$status, $problem] = ask('PUT', "/v3/ServiceOrder($order->Id)", $order);
    if ($status >= 400) {
        return "refused $problem->detail";
    }
    [, $fate] = ask('GET', "/orders/$order->Id");
    return $fate->state . ' ' . ($fate->order->ReceiptNumber ?? $fate->detail);
}

foreach (json_decode(file_get_contents($file), flags: JSON_THROW_ON_ERROR) as $order) {
    echo "$order->Id\n";
    echo '  ' . sell($order) . "\n";
}
