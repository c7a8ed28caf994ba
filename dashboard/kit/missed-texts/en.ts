export const en = {
  billTitle: 'Bill the missed dates',
  skipTitle: 'Skip the missed dates',
  charged: {
    one: '# bill is charged within minutes.',
    other:
      '# bills are charged, oldest first, one a minute. Each waits until the one before is paid. If one stays unpaid after all its attempts, those after it whose period is over are skipped.',
  },
  noneCharged: 'Nothing is charged now.',
  skipped: {
    one: '# bill whose period is over is left out. Its {amount} is never collected.',
    other: '# bills whose period is over are left out. Their {amount} is never collected.',
  },
  chargedTable: 'What is charged',
  skippedTable: 'What is left out',
  period: 'Period',
  amount: 'Amount',
  more: { one: 'and # more', other: 'and # more' },
  total: 'In all {total}, to {card}.',
  totalWithoutCard: 'In all {total}.',
  bill: 'Bill {total}',
  skip: { one: 'Skip # bill', other: 'Skip # bills' },
  skipAndBill: { one: 'Skip # bill, bill {total}', other: 'Skip # bills, bill {total}' },
  card_blocked: 'The issuer forbids charges to this card. Change the card first.',
  card_detached: 'The card was detached. Choose another card first.',
  contract_unsigned: 'Nothing is charged before the contract is signed.',
  billed: { one: 'Decided. The bill follows within minutes.', other: 'Decided. The bills follow within minutes.' },
  decided: 'Decided',
}
