import type { Locale } from '../../../contract/payment-page.ts'

interface BridgeTexts {
  title: string
  /** Label of the button for browsers without JavaScript. */
  go: string
  returned: string
  over: string
}

export const BRIDGE_TEXTS: Record<Locale, BridgeTexts> = {
  en: {
    title: 'Your bank’s security check',
    go: 'Continue to your bank',
    returned: 'One moment…',
    over: 'This security check is over. Return to the payment.',
  },
  'fr-CA': {
    title: 'Vérification de sécurité de votre banque',
    go: 'Continuer vers votre banque',
    returned: 'Un instant…',
    over: 'Cette vérification de sécurité est terminée. Retournez au paiement.',
  },
  es: {
    title: 'Verificación de seguridad de su banco',
    go: 'Continuar a su banco',
    returned: 'Un momento…',
    over: 'Esta verificación de seguridad ha terminado. Vuelva al pago.',
  },
}
