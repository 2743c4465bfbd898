import Foundation
import Security

struct EncryptionError: Error {}

/// Encrypts a PIN or passcode with the publicKeyPkcs1 of the service.
/// The result goes into encryptedPin or encryptedPasscode.
func encrypt(_ secret: String, publicKeyPkcs1: String) throws -> String {
    let attributes = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeyClass: kSecAttrKeyClassPublic] as CFDictionary
    var error: Unmanaged<CFError>?
    // .rsaEncryptionOAEPSHA256 is SHA-256 for hash and MGF1, with an empty label.
    guard let der = Data(base64Encoded: publicKeyPkcs1),
          let key = SecKeyCreateWithData(der as CFData, attributes, &error),
          let bytes = SecKeyCreateEncryptedData(key, .rsaEncryptionOAEPSHA256, Data(secret.utf8) as CFData, &error)
    else { throw error?.takeRetainedValue() ?? EncryptionError() }
    return (bytes as Data).base64EncodedString()
}
