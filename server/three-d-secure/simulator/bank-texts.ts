/** Texts of the simulated bank. */
export interface BankTexts {
  /** Locale of the page and its amounts. */
  locale: string
  bank: string
  challenge: string
  instruction: string
  shop: string
  amount: string
  card: string
  endingIn: (last4: string) => string
  code: string
  submit: string
  cancel: string
  error: string
  enterCode: string
  wrongCode: (triesLeft: number) => string
  hint: string
  returning: string
  continue: string
  waiting: string
  waitingText: string
  over: string
  overText: string
  failed: string
  failedText: string
}

const EN: BankTexts = {
  locale: 'en-US',
  bank: 'Simulated bank',
  challenge: 'Confirm your purchase',
  instruction: 'Enter the code that we sent to your phone.',
  shop: 'Merchant',
  amount: 'Amount',
  card: 'Card',
  endingIn: (last4) => `ending in ${last4}`,
  code: 'Code',
  submit: 'Submit',
  cancel: 'Cancel',
  error: 'Error',
  enterCode: 'Enter the code.',
  wrongCode: (left) => (left === 1 ? 'Wrong code. You have one more try.' : `Wrong code. You have ${left} more tries.`),
  hint: 'Test: 123456 passes, 000000 fails.',
  returning: 'Returning to the merchant…',
  continue: 'Continue',
  waiting: 'Checking…',
  waitingText: 'This may take a moment.',
  over: 'Nothing to confirm',
  overText: 'This confirmation does not exist or is already over. Return to the merchant.',
  failed: 'Something went wrong',
  failedText: 'The bank cannot show this page.',
}

const FR_CA: BankTexts = {
  locale: 'fr-CA',
  bank: 'Banque simulée',
  challenge: 'Confirmez votre achat',
  instruction: 'Saisissez le code que nous avons envoyé à votre téléphone.',
  shop: 'Commerçant',
  amount: 'Montant',
  card: 'Carte',
  endingIn: (last4) => `se terminant par ${last4}`,
  code: 'Code',
  submit: 'Soumettre',
  cancel: 'Annuler',
  error: 'Erreur',
  enterCode: 'Saisissez le code.',
  wrongCode: (left) =>
    left === 1 ? 'Code incorrect. Il vous reste un essai.' : `Code incorrect. Il vous reste ${left} essais.`,
  hint: 'Test : 123456 réussit, 000000 échoue.',
  returning: 'Retour au commerçant…',
  continue: 'Continuer',
  waiting: 'Vérification…',
  waitingText: 'Cela peut prendre un moment.',
  over: 'Rien à confirmer',
  overText: 'Cette confirmation n’existe pas ou est déjà terminée. Retournez chez le commerçant.',
  failed: 'Une erreur est survenue',
  failedText: 'La banque ne peut pas afficher cette page.',
}

const ES: BankTexts = {
  locale: 'es-US',
  bank: 'Banco simulado',
  challenge: 'Confirme su compra',
  instruction: 'Introduzca el código que enviamos a su teléfono.',
  shop: 'Comercio',
  amount: 'Importe',
  card: 'Tarjeta',
  endingIn: (last4) => `terminada en ${last4}`,
  code: 'Código',
  submit: 'Enviar',
  cancel: 'Cancelar',
  error: 'Error',
  enterCode: 'Introduzca el código.',
  wrongCode: (left) =>
    left === 1 ? 'Código incorrecto. Le queda un intento.' : `Código incorrecto. Le quedan ${left} intentos.`,
  hint: 'Prueba: 123456 es correcto, 000000 falla.',
  returning: 'Volviendo al comercio…',
  continue: 'Continuar',
  waiting: 'Comprobando…',
  waitingText: 'Puede tardar un momento.',
  over: 'Nada que confirmar',
  overText: 'Esta confirmación no existe o ya ha terminado. Vuelva al comercio.',
  failed: 'Algo ha fallado',
  failedText: 'El banco no puede mostrar esta página.',
}

const BY_LANGUAGE: Record<string, BankTexts> = { en: EN, fr: FR_CA, es: ES }

/** Returns the texts for a language. @param language language tag of the browser, such as `fr-CA` */
export function bankTexts(language: string): BankTexts {
  return BY_LANGUAGE[language.toLowerCase().split('-')[0] ?? ''] ?? EN
}
