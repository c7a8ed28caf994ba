import type { About } from '../../../contract/dashboard/about.ts'

export const frCA: Record<About['type'], string> = {
  payment: 'Paiement',
  subscription: 'Abonnement',
  customer: 'Client',
  contract: 'Contrat',
  product: 'Produit',
  checkout_session: 'Lien de paiement',
  webhook_endpoint: 'Point de terminaison',
}
