package sandbox

// Snippet is a program that shows one use of the service on one platform. It is
// a file below snippets/, and is shown unchanged.
type Snippet struct {
	ID, Name string
	File     string // below snippets/
	Note     string // what users should know about it
	Tested   bool   // the tests of this version run exactly this file against a service
	Code     string
}

// Snippets returns the programs that encrypt for the service, in the order of
// the page.
func Snippets() []Snippet {
	return withCode([]Snippet{
		{ID: "swift", Name: "Swift", File: "Encrypt.swift", Note: "SecKey accepts PKCS #1, not the PEM: request publicKeyPkcs1."},
		{ID: "kotlin", Name: "Kotlin (Android)", File: "Encrypt.kt", Note: "Always give the OAEPParameterSpec: providers differ in what the name of the cipher means."},
		{ID: "java", Name: "Java", File: "Encrypt.java", Tested: true, Note: "Without the OAEPParameterSpec the JDK uses MGF1 with SHA-1."},
		{ID: "webcrypto", Name: "JavaScript (WebCrypto)", File: "encrypt.webcrypto.mjs", Tested: true, Note: "This page uses this code. Browsers offer it only over https and on localhost."},
		{ID: "node", Name: "Node.js", File: "encrypt.node.mjs", Tested: true, Note: "Without oaepHash Node uses SHA-1. React Native's react-native-quick-crypto has the same call."},
		{ID: "dart", Name: "Dart (Flutter)", File: "encrypt.dart", Note: "With the package pointycastle. Request publicKeyPkcs1."},
		{ID: "csharp", Name: "C#", File: "Encrypt.cs", Note: ".NET 5 or newer."},
		{ID: "python", Name: "Python", File: "encrypt.py", Tested: true, Note: "With the package cryptography."},
		{ID: "go", Name: "Go", File: "encrypt.go", Tested: true, Note: "The standard library is enough."},
		{ID: "openssl", Name: "openssl", File: "encrypt.sh", Tested: true, Note: "Without the options pkeyutl uses PKCS #1 v1.5, which is refused."},
	})
}

// redeemSnippets returns the programs with which a backend redeems a receipt.
func redeemSnippets() []Snippet {
	return withCode([]Snippet{
		{ID: "node", Name: "Node.js", File: "redeem/redeem.mjs", Tested: true, Note: "Nothing but Node.js is needed."},
		{ID: "go", Name: "Go", File: "redeem/redeem.go", Tested: true, Note: "The standard library is enough."},
		{ID: "java", Name: "Java", File: "redeem/Redeem.java", Tested: true, Note: "The JDK has no JSON parser: use your own instead of the pattern."},
	})
}

func withCode(all []Snippet) []Snippet {
	for i := range all {
		all[i].Code = string(must(files.ReadFile("snippets/" + all[i].File)))
	}
	return all
}
