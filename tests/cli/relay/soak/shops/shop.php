<?php
/**
 * A shop that sends its orders through a relay: `shop.php RELAY FILE COUNT`. It may be killed at any time, and started again.
 *
 * The file has a line for each order when its Id is made, and one when the relay has accepted it; both are on the disk before
 * the shop goes on.
 */
[, $relay, $file, $count] = $argv;
$lines = fopen($file, 'c+');
$content = stream_get_contents($lines);
$end = ($last = strrpos($content, "\n")) === false ? 0 : $last + 1;
ftruncate($lines, $end); // a line without its end was never relied on
fseek($lines, $end);
$orders = $accepted = [];
foreach (array_filter(explode("\n", substr($content, 0, $end))) as $line) {
    $entry = json_decode($line, true);
    if (isset($entry['order'])) {
        $orders[$entry['n']] = $entry['order'];
    } else {
        $accepted[$entry['n']] = true;
    }
}

function write(array $entry): void
{
    global $lines;
    fwrite($lines, json_encode($entry) . "\n");
    fsync($lines);
}

function put(array $order): int
{
    global $relay;
    $curl = curl_init("$relay/v3/ServiceOrder({$order['Id']})");
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => 'PUT',
        CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
        CURLOPT_POSTFIELDS => json_encode($order),
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 10,
    ]);
    for (;;) {
        $body = curl_exec($curl);
        $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        if ($body !== false && $status < 300) {
            return $status;
        }
        if ($body !== false && $status < 500) {
            fwrite(STDERR, "$status $body");
            exit(1);
        }
        usleep(50_000);
    }
}

for ($n = 0; $n < (int) $count; $n++) {
    if (isset($accepted[$n])) {
        continue;
    }
    if (!isset($orders[$n])) {
        $orders[$n] = [
            'Id' => vsprintf('%s%s-%s-4%.3s-8%.3s-%s%s%s', str_split(bin2hex(random_bytes(16)), 4)),
            'CompanyId' => 1000,
            'EntityId' => 2001,
            'IntegratorId' => '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
            'Notes' => "PHP ☕ $n",
            'Items' => [[
                'Name' => "Tea $n",
                'CatalogItemId' => '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff',
                'Quantity' => $n % 7 + 1,
                'SellAtPricePerUnit' => "$n.90",
            ]],
        ];
        write(['n' => $n, 'order' => $orders[$n]]);
    }
    write(['n' => $n, 'status' => put($orders[$n])]);
    usleep(20_000);
}
