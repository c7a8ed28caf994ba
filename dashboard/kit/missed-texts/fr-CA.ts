import type { Translated } from '../../../contract/text.ts'
import type { en } from './en.ts'

export const frCA: Translated<typeof en> = {
  billTitle: 'Facturer les dates manquées',
  skipTitle: 'Ignorer les dates manquées',
  charged: {
    one: '# facture est débitée d’ici quelques minutes.',
    other:
      '# factures sont débitées, de la plus ancienne à la plus récente, une par minute. Chacune attend que la précédente soit payée. Si l’une reste impayée après toutes ses tentatives, les suivantes dont la période est terminée sont ignorées.',
  },
  noneCharged: 'Rien n’est débité maintenant.',
  skipped: {
    one: '# facture dont la période est terminée est laissée de côté. Le montant de {amount} ne sera jamais perçu.',
    other:
      '# factures dont la période est terminée sont laissées de côté. Le montant de {amount} ne sera jamais perçu.',
  },
  chargedTable: 'Ce qui est débité',
  skippedTable: 'Ce qui est laissé de côté',
  period: 'Période',
  amount: 'Montant',
  more: { one: 'et # autre', other: 'et # autres' },
  total: 'En tout {total}, sur la carte {card}.',
  totalWithoutCard: 'En tout {total}.',
  bill: 'Facturer {total}',
  skip: { one: 'Ignorer # facture', other: 'Ignorer # factures' },
  skipAndBill: { one: 'Ignorer # facture, facturer {total}', other: 'Ignorer # factures, facturer {total}' },
  card_blocked: 'L’émetteur interdit de débiter cette carte. Changez d’abord de carte.',
  card_detached: 'La carte a été détachée. Choisissez d’abord une autre carte.',
  contract_unsigned: 'Rien n’est débité avant la signature du contrat.',
  billed: {
    one: 'C’est décidé. La facture suit dans quelques minutes.',
    other: 'C’est décidé. Les factures suivent dans quelques minutes.',
  },
  decided: 'C’est décidé',
}
