// Sends orders through the relay: Shop http://127.0.0.1:4020 orders.json
using System;
using System.IO;
using System.Net.Http;
using System.Text;
using System.Text.Json;
using System.Threading.Tasks;

static class Shop
{
    const string Options = "{\"taxRates\": [{\"id\": \"9a8b7c6d-5e4f-4031-8293-a4b5c6d7e8f9\", \"rate\": \"0.05\"}]}";
    static readonly HttpClient Relay = new HttpClient { Timeout = TimeSpan.FromSeconds(20) };

    static async Task<(int Status, JsonElement Json)> Ask(HttpMethod method, string path, string body = null)
    {
        var request = new HttpRequestMessage(method, path);
        request.Headers.Add("Prefer", "wait=10");
        if (body != null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        var response = await Relay.SendAsync(request);
        var text = await response.Content.ReadAsStringAsync();
        return ((int)response.StatusCode, JsonDocument.Parse(text == "" ? "null" : text).RootElement);
    }

    static string Text(this JsonElement json, string name) => json.GetProperty(name).GetString();

    static async Task<string> Sell(JsonElement order)
    {
        // The order keeps the digits that it has in the file.
        var json = order.GetRawText();
        var body = $"{{\"order\": {json}, \"options\": {Options}}}";
        var (status, evaluation) = await Ask(HttpMethod.Post, "/evaluate", body);
        if (status != 200) return evaluation.Text("detail");
        foreach (var issue in evaluation.GetProperty("issues").EnumerateArray())
            Console.WriteLine($"  {issue.Text("severity")} {issue.Text("pointer")}: {issue.Text("message")}");
        if (!evaluation.GetProperty("ok").GetBoolean()) return "not sent";
        Console.WriteLine($"  total {evaluation.GetProperty("totals").Text("total") ?? "unknown"}");
        var (accepted, problem) = await Ask(HttpMethod.Put, $"/v3/ServiceOrder({order.Text("Id")})", json);
        if (accepted >= 400) return $"refused {problem.Text("detail")}";
        var (_, fate) = await Ask(HttpMethod.Get, $"/orders/{order.Text("Id")}");
        var created = fate.GetProperty("order");
        var isCreated = created.ValueKind == JsonValueKind.Object;
        return $"{fate.Text("state")} {(isCreated ? created.Text("ReceiptNumber") : fate.Text("detail"))}";
    }

    public static async Task Main(string[] arguments)
    {
        Relay.BaseAddress = new Uri(arguments[0]);
        foreach (var order in JsonDocument.Parse(File.ReadAllText(arguments[1])).RootElement.EnumerateArray())
        {
            Console.WriteLine(order.Text("Id"));
            Console.WriteLine($"  {await Sell(order)}");
        }
    }
}
