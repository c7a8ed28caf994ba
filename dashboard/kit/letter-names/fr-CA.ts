import type { LetterName } from '../../../contract/letters.ts'

export const frCA: Record<LetterName, string> = {
  'customer.subscription_link': 'L’abonnement attend sa carte',
  'customer.subscription_created': 'Abonnement créé',
  'customer.payment_succeeded': 'Reçu de paiement',
  'customer.payment_failed': 'Paiement refusé',
  'customer.retries_exhausted': 'Dernière tentative refusée',
  'customer.refund': 'Remboursement',
  'customer.card_link': 'Une nouvelle carte est nécessaire',
  'customer.card_request': 'Carte à enregistrer demandée',
  'customer.contract_link': 'Contrat à signer',
  'customer.card_expiring': 'La carte expire bientôt',
  'customer.upcoming_renewal': 'Renouvellement à venir',
  'merchant.payment_succeeded': 'Facture payée',
  'merchant.payment_failed': 'Facture refusée',
  'merchant.retries_exhausted': 'Dernière tentative d’une facture refusée',
  'merchant.endpoint_disabled': 'Point de terminaison désactivé',
  'person.password_reset': 'Nouveau mot de passe',
  'person.invitation': 'Invitation',
  'person.factors_reset': 'Deuxièmes facteurs retirés',
  'person.account_changed': 'Compte modifié',
}
