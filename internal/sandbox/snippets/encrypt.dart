import 'dart:convert';
import 'dart:typed_data';

import 'package:pointycastle/asn1.dart';
import 'package:pointycastle/export.dart';

/// Encrypts a PIN or passcode with the publicKeyPkcs1 of the service.
String encrypt(String secret, String publicKeyPkcs1) {
  final numbers = (ASN1Parser(base64.decode(publicKeyPkcs1)).nextObject() as ASN1Sequence).elements!;
  final key = RSAPublicKey((numbers[0] as ASN1Integer).integer!, (numbers[1] as ASN1Integer).integer!);
  // withSHA256 is for hash and MGF1; plain OAEPEncoding(…) would be SHA-1.
  final cipher = OAEPEncoding.withSHA256(RSAEngine())..init(true, PublicKeyParameter<RSAPublicKey>(key));
  return base64.encode(cipher.process(Uint8List.fromList(utf8.encode(secret))));
}
