import type { en } from './en.ts'

export const es: Record<keyof typeof en, string> = {
  succeeded: 'Completado',
  partially_refunded: 'Reembolsado en parte',
  refunded: 'Reembolsado',
  voided: 'Anulado',
  failed: 'Rechazado',
  pending: 'En verificación',
  reversed: 'Revertido',
  not_charged: 'No cobrado',
  refundedOf: '{amount} reembolsados',
}
