// Keys that Google publishes for tests (tink-crypto/tink-java-apps, PaymentMethodTokenRecipientTest). Everybody has
// them, so they protect nothing. The simulated wallet of staging signs with them; production never trusts them.

/**
 * Root key for ECv2, which signs the intermediate key; in Google's tests both are the same pair. SubjectPublicKeyInfo.
 */
export const TEST_ROOT_PUBLIC_KEY =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE/1+3HBVSbdv+j7NaArdgMyoSAM43yRydzqdg1TxodSzA96Dj4Mc1EiKroxxunavVIvdxGnJeFViTzFvzFRxyCw=='

/** Private part of the same pair, in PKCS #8. */
export const TEST_ROOT_PRIVATE_KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgKvEdSS8f0mjTCNKevaKXIzfNC5b4A104gJWI9TsLIMqhRANCAAT/X7ccFVJt2/6Ps1oCt2AzKhIAzjfJHJ3Op2DVPGh1LMD3oOPgxzUSIqujHG6dq9Ui93Eacl4VWJPMW/MVHHIL'
