import android.util.Base64
import java.security.KeyFactory
import java.security.spec.MGF1ParameterSpec
import java.security.spec.X509EncodedKeySpec
import javax.crypto.Cipher
import javax.crypto.spec.OAEPParameterSpec
import javax.crypto.spec.PSource

/** Encrypts a PIN or passcode with the publicKey (PEM) of the service. */
fun encrypt(secret: String, publicKey: String): String {
    val der = Base64.decode(publicKey.replace(Regex("-----[^-]+-----"), ""), Base64.DEFAULT)
    val key = KeyFactory.getInstance("RSA").generatePublic(X509EncodedKeySpec(der))
    val cipher = Cipher.getInstance("RSA/ECB/OAEPWithSHA-256AndMGF1Padding")
    cipher.init(
        Cipher.ENCRYPT_MODE, key,
        OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT)
    )
    return Base64.encodeToString(cipher.doFinal(secret.toByteArray(Charsets.UTF_8)), Base64.NO_WRAP)
}
