import type { en } from './en.ts'

export const frCA: Record<keyof typeof en, string> = {
  succeeded: 'Réussi',
  partially_refunded: 'Remboursé en partie',
  refunded: 'Remboursé',
  voided: 'Annulé',
  failed: 'Refusé',
  pending: 'En cours de vérification',
  reversed: 'Contrepassé',
  not_charged: 'Non débité',
  refundedOf: '{amount} remboursés',
}
