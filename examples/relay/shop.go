// Sends orders through the relay: go run shop.go http://127.0.0.1:4020 orders.json
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"time"
)

var options = json.RawMessage(`{"taxRates": [{"id": "9a8b7c6d-5e4f-4031-8293-a4b5c6d7e8f9", "rate": "0.05"}]}`)

type answer struct {
	OK            bool
	State, Detail string
	Issues        []struct{ Severity, Pointer, Message string }
	Totals        struct{ Total *string }
	Order         struct{ ReceiptNumber string }
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func ask(method, path string, body []byte) (status int, result answer) {
	request := must(http.NewRequest(method, os.Args[1]+path, bytes.NewReader(body)))
	request.Header = http.Header{"Content-Type": {"application/json"}, "Prefer": {"wait=10"}}
	response := must((&http.Client{Timeout: 20 * time.Second}).Do(request))
	defer response.Body.Close()
	json.NewDecoder(response.Body).Decode(&result) // a 204 has no body
	return response.StatusCode, result
}

func sell(id string, order json.RawMessage) string {
	_, evaluation := ask("POST", "/evaluate", must(json.Marshal(map[string]any{"order": order, "options": options})))
	for _, issue := range evaluation.Issues {
		fmt.Printf("  %s %s: %s\n", issue.Severity, issue.Pointer, issue.Message)
	}
	if !evaluation.OK {
		return "not sent"
	}
	total := "unknown"
	if known := evaluation.Totals.Total; known != nil {
		total = *known
	}
	fmt.Println("  total", total)
	if status, problem := ask("PUT", "/v3/ServiceOrder("+id+")", order); status >= 400 {
		return "refused " + problem.Detail
	}
	_, fate := ask("GET", "/orders/"+id, nil)
	return fate.State + " " + fate.Order.ReceiptNumber + fate.Detail
}

func main() {
	var orders []json.RawMessage // with the digits that they have in the file
	must(0, json.Unmarshal(must(os.ReadFile(os.Args[2])), &orders))
	for _, order := range orders {
		var cart struct{ Id string }
		must(0, json.Unmarshal(order, &cart))
		fmt.Println(cart.Id)
		fmt.Println(" ", sell(cart.Id, order))
	}
}
