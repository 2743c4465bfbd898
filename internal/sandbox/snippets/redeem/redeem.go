// Redeems the receipt on standard input. TOKEN is in the environment:
// go run redeem.go https://vault.bank.example '{"amount":"12.50","currency":"EUR","to":"ACME"}'
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	url, transaction := os.Args[1], os.Args[2] // the canonical form of what will be executed
	receipt, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	body, err := json.Marshal(map[string]string{"receipt": strings.TrimSpace(string(receipt))})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, url+"/api/receipts/redeem", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	var claims struct {
		Sub, PasswordAuthType, Message string
		TxnHash                        string `json:"txn_hash"`
		MustChange                     bool
	}
	if err := json.NewDecoder(answer.Body).Decode(&claims); err != nil {
		log.Fatal(err)
	}
	hash := sha256.Sum256([]byte(transaction))
	switch {
	case answer.StatusCode != http.StatusOK:
		log.Fatalf("not authorized: %d %s", answer.StatusCode, claims.Message)
	case claims.TxnHash != base64.RawURLEncoding.EncodeToString(hash[:]):
		log.Fatal("not this transaction")
	case claims.PasswordAuthType != "TRANSACTION_PIN":
		log.Fatal("not authorized with the PIN")
	case claims.MustChange:
		log.Fatal("the user must change the PIN first")
	}
	fmt.Println("authorized by " + claims.Sub) // compare it with the owner of the account
}
