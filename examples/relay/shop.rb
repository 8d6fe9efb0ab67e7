# Sends orders through the relay: shop.rb http://127.0.0.1:4020 orders.json

require "json"
require "net/http"

RELAY = URI(ARGV[0])
OPTIONS = { taxRates: [{ id: "9a8b7c6d-5e4f-4031-8293-a4b5c6d7e8f9", rate: "0.05" }] }
HEADERS = { "Content-Type" => "application/json", "Prefer" => "wait=10" }

def ask(kind, path, value = nil)
  request = kind.new(path, HEADERS)
  request.body = value.to_json if value
  response = Net::HTTP.start(RELAY.host, RELAY.port, read_timeout: 20) { |http| http.request(request) }
  [response.code.to_i, response.body && JSON.parse(response.body)]
end

def sell(order)
  status, evaluation = ask(Net::HTTP::Post, "/evaluate", { order: order, options: OPTIONS })
  return evaluation["detail"] if status != 200

  evaluation["issues"].each { |issue| puts "  #{issue["severity"]} #{issue["pointer"]}: #{issue["message"]}" }
  return "not sent" unless evaluation["ok"]

  puts "  total #{evaluation["totals"]["total"] || "unknown"}"
  status, problem = ask(Net::HTTP::Put, "/v3/ServiceOrder(#{order["Id"]})", order)
  return "refused #{problem["detail"]}" if status >= 400

  _, fate = ask(Net::HTTP::Get, "/orders/#{order["Id"]}")
  "#{fate["state"]} #{fate.dig("order", "ReceiptNumber") || fate["detail"]}"
end

JSON.parse(File.read(ARGV[1], encoding: "utf-8")).each do |order|
  puts order["Id"]
  puts "  #{sell(order)}"
end
