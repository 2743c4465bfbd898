// Redeems the receipt on standard input. TOKEN is in the environment:
// go run redeem.go https://vault.bank.example payments.bank.example alice '{"amount":"12.50","currency":"EUR","id":"p-7031","to":"DE02120300000000202051"}'
// The arguments are the service, the aud of your receipts, the owner of the account, and the
// canonical form of the payment that you will execute.
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
	"time"
)

func main() {
	url, audience, account, transaction := os.Args[1], os.Args[2], os.Args[3], os.Args[4]
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
	client := http.Client{Timeout: 10 * time.Second}
	answer, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	var claims struct {
		Aud, Sub, PasswordAuthType, Message string
		TxnHash                             string `json:"txn_hash"`
		MustChange                          bool
	}
	if err := json.NewDecoder(answer.Body).Decode(&claims); err != nil {
		log.Fatal(err)
	}
	hash := sha256.Sum256([]byte(transaction))
	switch {
	case answer.StatusCode != http.StatusOK:
		log.Fatalf("not authorized: %d %s", answer.StatusCode, claims.Message)
	case claims.Aud != audience:
		log.Fatal("not for this backend")
	case claims.Sub != account: // in jwt mode compare sub_iss too
		log.Fatal("not the owner of the account")
	case claims.TxnHash != base64.RawURLEncoding.EncodeToString(hash[:]):
		log.Fatal("not this transaction")
	case claims.PasswordAuthType != "TRANSACTION_PIN":
		log.Fatal("not authorized with the PIN")
	case claims.MustChange:
		log.Fatal("the user must change the PIN first")
	}
	// Optional, if all devices prove a key: check that amr has "swk" or "hwk", and that you enrolled cnf.jkt.
	fmt.Println("authorized by " + claims.Sub)
}
