using System;
using System.Security.Cryptography;
using System.Text;

static class Strongroom
{
    /// <summary>Encrypts a PIN or passcode with the publicKey (PEM) of the service.</summary>
    public static string Encrypt(string secret, string publicKey)
    {
        using var rsa = RSA.Create();
        rsa.ImportFromPem(publicKey);
        // OaepSHA256 is SHA-256 for hash and MGF1, with an empty label.
        return Convert.ToBase64String(rsa.Encrypt(Encoding.UTF8.GetBytes(secret), RSAEncryptionPadding.OaepSHA256));
    }
}
