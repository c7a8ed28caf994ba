import type { Locale } from '../../contract/payment-page.ts'

interface Texts {
  button: string
  note: string
  /** Text beside a card, by how Google verifies it. */
  PAN_ONLY: string
  CRYPTOGRAM_3DS: string
  cancel: string
  failed: string
}

export const TEXTS: Record<Locale, Texts> = {
  en: {
    button: 'Simulated Google Pay',
    note: 'For tests: Google is not involved, and no real card is charged. Choose what the wallet sends.',
    PAN_ONLY: 'Card of the account (PAN_ONLY)',
    CRYPTOGRAM_3DS: 'Card on a device (CRYPTOGRAM_3DS)',
    cancel: 'Cancel',
    failed: 'The simulated wallet did not respond. Try again.',
  },
  'fr-CA': {
    button: 'Google Pay simulé',
    note: 'Pour les tests\u00a0: Google n’intervient pas et aucune vraie carte n’est débitée. Choisissez ce que le portefeuille envoie.',
    PAN_ONLY: 'Carte du compte (PAN_ONLY)',
    CRYPTOGRAM_3DS: 'Carte sur un appareil (CRYPTOGRAM_3DS)',
    cancel: 'Annuler',
    failed: 'Le portefeuille simulé n’a pas répondu. Réessayez.',
  },
  es: {
    button: 'Google Pay simulado',
    note: 'Para pruebas: Google no interviene y no se cobra ninguna tarjeta real. Elija lo que envía la billetera.',
    PAN_ONLY: 'Tarjeta de la cuenta (PAN_ONLY)',
    CRYPTOGRAM_3DS: 'Tarjeta en un dispositivo (CRYPTOGRAM_3DS)',
    cancel: 'Cancelar',
    failed: 'La billetera simulada no respondió. Inténtelo de nuevo.',
  },
}
