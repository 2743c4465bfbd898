package sandbox

// Snippet is a program that encrypts for the service on one platform: one file
// below snippets/, shown as it is.
type Snippet struct {
	ID, Name string
	File     string // below snippets/
	Note     string // what to know about it
	Tested   bool   // the tests of this version run the very file against a service
	Code     string
}

// Snippets are all of them, in the order in which they are shown.
func Snippets() []Snippet {
	all := []Snippet{
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
	}
	for i := range all {
		all[i].Code = string(must(files.ReadFile("snippets/" + all[i].File)))
	}
	return all
}
