package sandbox

import "slices"

// mistake is the code of a finding. The codes are stable.
type mistake string

// About the text that would be sent.
const (
	empty            mistake = "EMPTY"
	plaintext        mistake = "PLAINTEXT"
	quotedCiphertext mistake = "QUOTED_CIPHERTEXT"
	jsonAround       mistake = "JSON_AROUND"
	jsonEscapes      mistake = "JSON_ESCAPES"
	urlEncoded       mistake = "URL_ENCODED"
	plusToSpace      mistake = "PLUS_TO_SPACE"
	hexEncoded       mistake = "HEX"
	doubleBase64     mistake = "DOUBLE_BASE64"
	base64OfHex      mistake = "BASE64_OF_HEX"
	base64OfText     mistake = "BASE64_OF_TEXT"
	looseBase64      mistake = "LOOSE_BASE64"
	notBase64        mistake = "NOT_BASE64"
	pemPasted        mistake = "PEM"
	jwe              mistake = "JWE"
	base64URL        mistake = "BASE64URL"
	twoParts         mistake = "TWO_PARTS" // only for HPKE
)

// About its length.
const (
	truncated   mistake = "TRUNCATED"
	leadingZero mistake = "LEADING_ZERO"
	lostZero    mistake = "LOST_ZERO"
	otherSize   mistake = "OTHER_KEY_SIZE"
	hybrid      mistake = "HYBRID"
	blocks      mistake = "SEVERAL_BLOCKS"
	tooLong     mistake = "TOO_LONG"
)

// About the encryption.
const (
	sha1ForSHA256 mistake = "SHA1"
	mgf1          mistake = "MGF1"
	otherHash     mistake = "OTHER_HASH"
	label         mistake = "LABEL"
	otherLabel    mistake = "OTHER_LABEL"
	noLabel       mistake = "NO_LABEL"
	pkcs1Padding  mistake = "PKCS1_V15"
	signature     mistake = "SIGNATURE"
	rawRSA        mistake = "RAW_RSA"
	byteOrder     mistake = "BYTE_ORDER"
	otherKey      mistake = "OTHER_KEY"
	undecryptable mistake = "UNDECRYPTABLE"
)

// About the encryption with HPKE.
const (
	hpkeCiphertext  mistake = "HPKE_CIPHERTEXT"
	rsaCiphertext   mistake = "RSA_CIPHERTEXT"
	encLast         mistake = "ENC_LAST"
	aadOperation    mistake = "AAD_OPERATION"
	aadOfNewSecret  mistake = "AAD_OF_NEW_SECRET"
	aadKeyID        mistake = "AAD_KEY_ID"
	aadType         mistake = "AAD_TYPE"
	aadOrder        mistake = "AAD_ORDER"
	aadLineEnding   mistake = "AAD_LINE_ENDING"
	aadTrailing     mistake = "AAD_TRAILING_NEWLINE"
	aadSeparator    mistake = "AAD_SEPARATOR"
	aadEncoding     mistake = "AAD_ENCODING"
	noAAD           mistake = "NO_AAD"
	aadInfoSwapped  mistake = "AAD_INFO_SWAPPED"
	otherInfo       mistake = "INFO"
	otherKDF        mistake = "KDF"
	otherAEAD       mistake = "AEAD"
	withoutHPKE     mistake = "RAW_X25519"
	notForAuthorize mistake = "AUTHORIZATION"
)

// About the secret.
const (
	emptySecret      mistake = "EMPTY_SECRET"
	quotedSecret     mistake = "QUOTED_SECRET"
	jsonSecret       mistake = "JSON_SECRET"
	trailingNewline  mistake = "TRAILING_NEWLINE"
	spaceAround      mistake = "SPACE_AROUND"
	nulByte          mistake = "NUL_BYTE"
	bom              mistake = "BYTE_ORDER_MARK"
	utf16Secret      mistake = "UTF16"
	notUTF8          mistake = "NOT_UTF8"
	urlEncodedSecret mistake = "URL_ENCODED_SECRET"
	hashedSecret     mistake = "HASHED_SECRET"
	base64Secret     mistake = "BASE64_SECRET"
	secretLength     mistake = "SECRET_LENGTH"
	notDigits        mistake = "NOT_DIGITS"
	fine             mistake = "FINE"
	fineInside       mistake = "FINE_INSIDE"
)

// isHarmless reports whether a finding does not change the verdict.
func isHarmless(code string) bool {
	return slices.Contains([]mistake{sha1ForSHA256, mgf1, base64URL, aadOfNewSecret, fineInside}, mistake(code))
}

// wording is the text of a finding: what was found, what it means and what to do.
// A meaning can have arguments.
type wording struct{ title, meaning, remedy string }

const useOAEP = "Encrypt with RSA-OAEP, SHA-256 for hash and MGF1, empty label. The snippets have the call for your platform."

// boundRemedies are the remedies of a service that requires labels, if they differ.
var boundRemedies = map[mistake]string{otherHash: useBoundOAEP, pkcs1Padding: useBoundOAEP, signature: useBoundOAEP, rawRSA: useBoundOAEP,
	label: "Use the label of the purpose: " + theLabels}

const useBoundOAEP = "Encrypt with RSA-OAEP, SHA-256 for hash and MGF1, and the label of the purpose: " + theLabels

const theLabels = "strongroom/verify, strongroom/authorize, strongroom/set, or strongroom/current for a current secret."

var words = map[mistake]wording{
	empty:     {"Nothing was pasted", "There is no ciphertext.", "Paste what your client puts into encryptedPin or encryptedPasscode."},
	plaintext: {"This looks like the secret itself", "The text has %d characters; a ciphertext has hundreds. If your client sends this, it sends the secret in plain text.", "Send the result of the encryption, as base64. If this was a real PIN or passcode, change it."},
	quotedCiphertext: {"Quotes around the ciphertext", "The quotation marks are part of the value, so it is not base64. It was probably encoded as JSON twice.",
		"Put the base64 text itself into the variables; the JSON encoder of your HTTP library adds the quotes that JSON needs."},
	jsonAround: {"A whole JSON object", "You pasted an object that contains the ciphertext. As the value of encryptedPin it would be refused.",
		"If you pasted the whole request, this is correct so far. If your client sends this object as the value, send only its member."},
	jsonEscapes: {"JSON escapes in the ciphertext", `The text contains escapes like \/ or \n: it was encoded as JSON twice.`,
		"Encode the request as JSON once, with a JSON encoder, and not by joining strings."},
	urlEncoded: {"The ciphertext is URL-encoded", "It contains %%2B, %%2F or %%3D instead of +, / and =. Bodies of type application/json are not URL-decoded.",
		"Remove the URL encoding. JSON needs no encoding of base64."},
	plusToSpace: {"Every + became a space", "With + instead of the spaces, this is a ciphertext of the right length. It was decoded as a form on the way, where + means a space.",
		"Send application/json. If you must send it in a URL or form, URL-encode it there, or use the base64url alphabet (- and _), which is accepted."},
	hexEncoded:   {"Hexadecimal instead of base64", "The text is the ciphertext in hexadecimal.", "Encode the bytes of the ciphertext as base64."},
	doubleBase64: {"Encoded as base64 twice", "The base64 text contains base64 text. Your encryption call returns base64 already, and the client encodes that again.", "Encode the bytes once."},
	base64OfHex:  {"Hexadecimal inside base64", "The base64 text contains the ciphertext in hexadecimal.", "Encode the bytes of the ciphertext, not their hexadecimal form, as base64."},
	base64OfText: {"Text inside base64, not a ciphertext", "The base64 text contains readable text. It was encoded but not encrypted, or another text was encoded.",
		"Send the result of the encryption, as base64."},
	looseBase64: {"Not quite base64", "It decodes to the right length, but the alphabets are mixed, the padding is incomplete or unused bits at the end are set. It is refused, so that a ciphertext has only one form.",
		"Use the base64 encoder of your platform, and do not change its result."},
	notBase64: {"Not base64", "The text contains characters that are not in any base64 alphabet.", "Send the ciphertext as base64. Either alphabet is accepted, with or without padding, also in lines."},
	pemPasted: {"This is PEM", "It begins with -----BEGIN: it is a key, or a message in another format.", "Send the bytes of the RSA ciphertext as base64, and nothing around them."},
	jwe:       {"This is a JWE", "It has the five parts of a JSON Web Encryption token.", "Use plain RSA-OAEP, not a JOSE library: the service takes the RSA ciphertext alone."},

	base64URL: {"base64url instead of base64", "The text has - and _ instead of + and /. It is accepted.", "You can leave it so. The API's examples use standard base64."},

	truncated: {"The ciphertext was cut off", "It decodes to %d bytes; the modulus of this key has %d, which are %d characters of base64.",
		"Find what cuts it: a column or buffer of 255 characters, a log line, a selection in a terminal."},
	leadingZero: {"A zero byte in front", "It decodes to %d bytes, the first of them zero, for a modulus of %d. Java's BigInteger.toByteArray puts it there as a sign.",
		"Encrypt with Cipher, not with BigInteger. If you must, write exactly as many bytes as the modulus has."},
	lostZero: {"Zero bytes in front were dropped", "It decodes to %d bytes for a modulus of %d, and decrypts once they are put back. About one ciphertext in 256 begins with a zero byte, so this fails only sometimes.",
		"Write exactly as many bytes as the modulus has: the ciphertext is bytes, not a number."},
	otherSize: {"Encrypted under a key of another size", "It decodes to %d bytes, the size for a key of %d bits. This key has %d.",
		"Your client uses another key than the one you named: a cached one, one of another environment, or one in the code. Ask for the key, and keep key and keyId together."},
	hybrid: {"More than an RSA ciphertext", "It decodes to %d bytes. The first %d decrypt, and something follows: a hybrid format, as .rsaEncryptionOAEPSHA256AESGCM on iOS makes it.",
		"Use .rsaEncryptionOAEPSHA256 on iOS, and elsewhere the plain RSA-OAEP of your library."},
	blocks: {"Several RSA ciphertexts in a row", "There are %d of them. Your library splits what it encrypts into blocks.",
		"A PIN or passcode fits into one block. Encrypt it in one call that does not split."},
	tooLong: {"Too long", "It decodes to %d bytes; the modulus of this key has %d. A longer ciphertext belongs to another key, or has extra bytes.", "Send the RSA ciphertext alone, made with the public key of this keyId."},

	sha1ForSHA256: {"SHA-1 instead of SHA-256", "It was encrypted with RSA-OAEP with the defaults of many libraries: SHA-1 for hash and MGF1.",
		"Set SHA-256 in the call: oaepHash: 'sha256' in Node.js, OAEPParameterSpec in Java and Kotlin, rsa_oaep_md and rsa_mgf1_md for openssl. An operator can refuse SHA-1 (--oaep sha256)."},
	mgf1: {"MGF1 with another hash", "The hash is SHA-256, but MGF1 works with %v. The JDK does this with the name OAEPWithSHA-256AndMGF1Padding alone.",
		"Give Cipher.init an OAEPParameterSpec with MGF1ParameterSpec.SHA256. An operator can refuse this form (--oaep sha256)."},
	otherHash: {"Another hash", "It was encrypted with RSA-OAEP, %v as hash and MGF1 with %v.", useOAEP},
	label: {"The service does not know the OAEP label", "The client gives OAEP a label (in Java the PSource, in WebCrypto label). A ciphertext decrypts only with its own label.",
		"Leave the label out, or bind the ciphertext to its purpose: " + theLabels},
	otherLabel: {"The OAEP label is that of another purpose", "The label is %s, but the ciphertext is for %s. A ciphertext for one purpose never works for another.", "Use the label of this purpose: " + theLabels},
	noLabel:    {"The OAEP label is empty", "This service has --ciphertext-purpose required, so it refuses RSA ciphertexts without a label.", "Give OAEP the label of the purpose: " + theLabels},
	pkcs1Padding: {"PKCS #1 v1.5 padding", "It was encrypted with the old padding, which can be attacked (Bleichenbacher 1998) and is never accepted: RSA/ECB/PKCS1Padding or plain RSA in Java, .rsaEncryptionPKCS1 on iOS, jsencrypt, openssl pkeyutl without options.",
		useOAEP},
	signature: {"A signature instead of a ciphertext", "The padding is that of an RSA signature: the client called sign or privateEncrypt.", useOAEP},
	rawRSA: {"RSA without padding", "The secret was encrypted as a bare number (RSA/ECB/NoPadding, or a power in big-number arithmetic). The same secret always gives the same ciphertext, so anyone can find a PIN by trying.",
		useOAEP},
	byteOrder: {"The bytes are in reverse", "It decrypts after its bytes are reversed. Windows CryptoAPI (CryptEncrypt) writes the last byte first.", "Reverse the bytes before you encode them, or use CNG."},
	otherKey: {"Encrypted under another key", "It does not belong to the keyId you named, but to another sandbox key of this page.",
		"Keep publicKey and keyId of one answer together. After a rotation, replace both."},
	undecryptable: {"It does not decrypt under this key", "The length is right, but it contains no known padding. Usually the client used another public key than that of this keyId. Otherwise the bytes were changed on the way, for example by a text encoding.",
		"Encrypt again with the public key shown for this keyId, and compare the first characters of the PEM with those in your client. Treat the ciphertext as bytes until it is base64."},

	hpkeCiphertext: {"An HPKE ciphertext for an RSA key", "It decodes to %d bytes, which is not the length of this key's modulus but the length of an HPKE ciphertext of a PIN or passcode.",
		"Look at algorithm in the answer that issued the key, and encrypt with RSA-OAEP when it is RSA-OAEP-256. If your client does encrypt with RSA, the ciphertext was cut off or has extra bytes."},

	notForAuthorize: {"Not what authorizeTransaction takes", "The ciphertext is for authorizeTransaction, but the plaintext is not a JSON object with exactly the two texts pin and txn.",
		"Encrypt {\"pin\": …, \"txn\": …} for authorizeTransaction, and the secret alone for the other operations."},
	emptySecret:      {"An empty secret", "It decrypts to nothing at all.", "Encrypt what the user typed. Perhaps the field was read before it was filled, or the buffer was wiped too early."},
	quotedSecret:     {"Quotes inside the secret", "The quotation marks were encrypted with the secret: JSON.stringify, or another JSON encoder, was called on it. A PIN is refused with DIGITS_ONLY; a passcode is set with its quotes, and never matches what another client sends.", "Encrypt the characters themselves."},
	jsonSecret:       {"JSON inside the secret", "An object or array was encrypted, not the secret alone.", "Encrypt the characters of the PIN or passcode and nothing else."},
	trailingNewline:  {"A line end after the secret", "The line end was encrypted with the secret: echo adds one, and so do files and text fields of several lines. A PIN is refused with DIGITS_ONLY; a passcode is set with it, and never matches what the user types elsewhere.", "In a shell use printf %s instead of echo. Elsewhere trim the line end before you encrypt."},
	spaceAround:      {"White space around the secret", "There is a space or tab before or after the secret, and it counts: secrets are never trimmed.", "Encrypt exactly the characters that the user typed."},
	nulByte:          {"A zero byte in the secret", "A byte of value zero was encrypted with it: the end of a C string, or a buffer longer than its text.", "Encrypt as many bytes as the text has, without the end mark."},
	bom:              {"A byte order mark", "The secret begins with the three bytes EF BB BF, which some encoders put before UTF-8.", "Encode without it: new UTF8Encoding(false) in .NET."},
	utf16Secret:      {"UTF-16 instead of UTF-8", "Every second byte is zero: the text was encoded as UTF-16 (Encoding.Unicode in .NET, a wide string in C).", "Encode the text as UTF-8 before you encrypt it."},
	notUTF8:          {"Not UTF-8", "The bytes are not UTF-8 text: the client used an old code page, or the bytes are not text. Set answers false with the rule NOT_UTF8.", "Encode the text as UTF-8 before you encrypt it."},
	urlEncodedSecret: {"The secret is URL-encoded", "It contains percent signs followed by two digits. If the user did not type them, the client encoded the secret as for a URL.", "Encrypt the characters that the user typed."},
	hashedSecret:     {"A hash instead of the secret", "The secret is as long as a hash in hexadecimal. As a PIN it is refused. As a passcode it works, but the hash becomes the passcode: it protects nothing, and the policy cannot check the user's choice.", "Encrypt the secret itself. The service hashes it with Argon2id."},
	base64Secret:     {"The secret is base64 inside", "The decrypted text is a PIN encoded as base64.", "Encrypt the UTF-8 bytes of the PIN, without encoding them first. Base64 comes after the encryption."},
	secretLength:     {"A length that no secret can have", "The secret has %d bytes. A PIN has 4 to 12 digits, a passcode 4 to 128 bytes.", "Encrypt the PIN or passcode and nothing else."},
	notDigits:        {"Not a transaction PIN", "A transaction PIN has 4 to 12 of the digits 0 to 9, and nothing else. This secret has other characters or more digits. Some characters may be invisible, such as a zero-width space. Set refuses it with DIGITS_ONLY or TOO_LONG, and verify answers false.", "Check what the user types before you encrypt it. Convert digits of other scripts to 0 to 9. If it is a passcode, use the operations for passcodes."},
	fine:             {"Everything is correct", "RSA-OAEP with SHA-256 for hash and MGF1, the correct label or none, and a secret without extra characters.", "Send it with the keyId of a key from generateClientEncryptionKey: sandbox keys work for this page only."},
	fineInside:       {"The secret itself is correct", "It has no quotes, line end or other extra characters.", "After you correct the findings above, this client is ready."},
}

const writeAAD = "Write the name of the GraphQL field (for a current secret with /current after it), the keyId and the passwordAuthType, with one line feed (0x0A) between them and nothing at the end. The expected AAD is shown with this diagnosis."

// hpkeWords has the texts for HPKE keys, if they differ from words, or if only
// these keys can have the mistake.
var hpkeWords = map[mistake]wording{
	plaintext:   {"This looks like the secret itself", "The text has %d characters; an HPKE ciphertext has more. If your client sends this, it sends the secret in plain text.", words[plaintext].remedy},
	plusToSpace: {"Every + became a space", "With + instead of the spaces, this ciphertext opens. It was decoded as a form on the way, where + means a space.", words[plusToSpace].remedy},
	pemPasted:   {"This is PEM", "It begins with -----BEGIN: it is a key, or a message in another format.", "Send base64 of enc followed by the ciphertext, and nothing around it."},
	jwe:         {"This is a JWE", "It has the five parts of a JSON Web Encryption token.", "Use plain HPKE (RFC 9180), not a JOSE library: the service takes enc followed by the ciphertext."},
	twoParts: {"enc and the ciphertext were sent as two values", "It has two parts, each encoded on its own. The service expects one base64 text.",
		"Concatenate the bytes of enc and of the ciphertext first, and encode the result as base64 once."},
	truncated: {"Too short for enc and a ciphertext", "It decodes to %d bytes. enc alone has %d, the tag of AES-256-GCM has 16, and the shortest PIN 4. Either enc or the ciphertext is missing, or one of them was cut off.",
		"Send all of enc, then all that seal returns, with its tag. Some libraries return enc and the ciphertext, or the ciphertext and the tag, as two values."},
	lostZero: {"A byte of enc is missing", "It opens once a zero byte is put back into enc. enc was handled as a number and lost it.", "Treat enc as bytes of a fixed length, not as a number."},
	tooLong:  {"Too long", "It decodes to %d bytes. A ciphertext for this key has at most %d.", "Encrypt the PIN or passcode and nothing else, and send base64 of enc followed by the ciphertext."},
	rsaCiphertext: {"An RSA ciphertext for an HPKE key", "It decodes to %d bytes: the length of an RSA ciphertext.",
		"Look at algorithm in the answer that issued the key, load publicKeyBytes, and encrypt with HPKE. If your app has no HPKE, do not list it in algorithms: then the device gets an RSA key."},
	encLast: {"The ciphertext is before enc", "It opens after its last %d bytes, which are enc, are moved to the front.", "Send enc first: base64 of enc followed by the ciphertext. BouncyCastle's seal returns the ciphertext first, and enc second."},
	aadOperation: {"The AAD names another operation", "The AAD has %s as its operation, but the ciphertext is for %s. A ciphertext for one operation never works for another.",
		"Encrypt anew for each request, with the name of the GraphQL field that you call, in exact spelling."},
	aadOfNewSecret: {"The AAD is that of the new secret", "The AAD has %s as its operation. For the current secret it is %s. Without that, a recorded ciphertext of a new secret also works as the current one. The service accepts it only with --ciphertext-purpose optional, the default.",
		"Write the name of the GraphQL field and /current as the operation in the AAD of the current secret."},
	aadKeyID: {"The AAD names another keyId", "The public key is right, but the AAD has %s as its keyId.", "Keep keyId, algorithm and publicKeyBytes of one answer together, and use that keyId unchanged. After a rotation, replace all of them."},
	aadType:  {"The AAD names another passwordAuthType", "The AAD has %s as its third field. The passwordAuthType of this operation is %s.", "Use the name of the enumeration: PASSCODE or TRANSACTION_PIN, in capitals."},
	aadOrder: {"The fields of the AAD are in another order", "It opens with the order %s.", writeAAD},
	aadLineEnding: {"The AAD has \\r\\n instead of \\n", "The fields of the AAD are separated by carriage return and line feed: a line end of Windows, or a multi-line string in a file with such line ends.",
		"Write the line feed as a byte (0x0A, \"\\n\"), not with the platform's line separator (Environment.NewLine, System.lineSeparator, println)."},
	aadTrailing:    {"The AAD ends with a line end", "There is a line end after the passwordAuthType. Multi-line strings and println add one.", "Put line feeds between the three fields only, and nothing at the end."},
	aadSeparator:   {"The AAD has another separator", "The fields of the AAD are separated by %s.", writeAAD},
	aadEncoding:    {"The AAD was encoded", "The fields are right, but your client gave HPKE the AAD as %s.", "Give HPKE the UTF-8 bytes of the AAD, without any encoding around them."},
	noAAD:          {"The AAD is empty", "It opens without associated data. Your client gives HPKE no AAD, or gives it to another argument.", writeAAD},
	aadInfoSwapped: {"info and AAD are exchanged", "It opens with the AAD as info and the info as AAD.", "Give info (strongroom hpke v1) to the call that sets up the sender, and the AAD to seal. Some libraries take both in one call, info first."},
	otherInfo:      {"Another info", "It opens with %s as info. It must be the 18 bytes of strongroom hpke v1.", "Give the UTF-8 bytes of the text strongroom hpke v1 as info, without a line end or quotes. The version in it is not that of your app."},
	otherKDF:       {"Another KDF", "It was encrypted with %s as the KDF of the suite. It must be HKDF-SHA256 (0x0001).", "Choose HKDF-SHA256 as the KDF. It does not depend on the KEM and the AEAD."},
	otherAEAD:      {"Another AEAD", "It was encrypted with %s. It must be AES-256-GCM (0x0002).", "Choose AES-256-GCM as the AEAD of the suite. Defaults of libraries are often AES-128-GCM or ChaCha20-Poly1305."},
	withoutHPKE: {"X25519 without HPKE", "It opens with %s. Your client agrees on a key with X25519 and encrypts with it directly, without the key schedule of HPKE.",
		"Use a library for HPKE (RFC 9180), such as @hpke/core or BouncyCastle. Do not build it from X25519 and AES."},
	otherKey: {"Encrypted under another key", "It does not belong to the keyId you named, but to another sandbox key of this page.",
		"Keep publicKeyBytes and keyId of one answer together. After a rotation, replace both."},
	undecryptable: {"It does not open under this key", "The length is possible, but no known mistake makes it open. The public key, the info or the AAD differ from the expected ones, or the bytes were changed on the way.",
		"Compare, byte by byte: publicKeyBytes with the key that your client loads, and its info and AAD with the expected ones of this diagnosis. Treat enc and the ciphertext as bytes until they are base64."},
	fine: {"Everything is correct", "HPKE with the right suite, info and AAD, and a secret without extra characters.", "Send it in the operation that it is for, with the keyId of a key from generateClientEncryptionKey: sandbox keys work for this page only."},
}
