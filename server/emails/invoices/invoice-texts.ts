import type { Locale } from '../../../contract/payment-page.ts'

/** Texts of an invoice, with `{…}` as placeholders. */
export interface InvoiceTexts {
  title: string
  number: string
  receiptTitle: string
  receiptNumber: string
  /** Text of the only line of a receipt without details. */
  payment: string
  issuedOn: string
  paidOn: string
  dueOn: string
  billTo: string
  /** Texts with the amount, shown in large letters. */
  paid: string
  due: string
  paymentNumber: string
  installmentOf: string
  description: string
  quantity: string
  unitPrice: string
  amount: string
  subtotal: string
  tax: string
  surcharge: string
  total: string
  amountPaid: string
  amountDue: string
  paidWith: string
  chargedTo: string
  /** Placeholders `{start}` and `{end}` are the first and the last day. */
  period: string
  timeZone: string
}

export const INVOICE_TEXTS: Record<Locale, InvoiceTexts> = {
  en: {
    title: 'Invoice',
    number: 'Invoice number',
    receiptTitle: 'Receipt',
    receiptNumber: 'Receipt number',
    payment: 'Payment',
    issuedOn: 'Date of issue',
    paidOn: 'Date paid',
    dueOn: 'Date due',
    billTo: 'Bill to',
    paid: '{amount} paid on {date}',
    due: '{amount} due on {date}',
    paymentNumber: 'Payment {number}',
    installmentOf: 'Installment {number} of {of}',
    description: 'Description',
    quantity: 'Qty',
    unitPrice: 'Unit price',
    amount: 'Amount',
    subtotal: 'Subtotal',
    tax: 'Tax',
    surcharge: 'Credit card surcharge',
    total: 'Total',
    amountPaid: 'Amount paid',
    amountDue: 'Amount due',
    paidWith: 'Paid on {date} with {card}.',
    chargedTo: 'Your {card} will be charged on {date}. You do not need to do anything.',
    period: '{start} to {end}',
    timeZone: 'Dates are in the time zone {zone}.',
  },
  'fr-CA': {
    title: 'Facture',
    number: 'Numéro de facture',
    receiptTitle: 'Reçu',
    receiptNumber: 'Numéro de reçu',
    payment: 'Paiement',
    issuedOn: 'Date d’émission',
    paidOn: 'Date de paiement',
    dueOn: 'Date d’échéance',
    billTo: 'Facturé à',
    paid: '{amount} payés le {date}',
    due: '{amount} à payer le {date}',
    paymentNumber: 'Paiement {number}',
    installmentOf: 'Versement {number} sur {of}',
    description: 'Description',
    quantity: 'Qté',
    unitPrice: 'Prix unitaire',
    amount: 'Montant',
    subtotal: 'Sous-total',
    tax: 'Taxes',
    surcharge: 'Supplément pour carte de crédit',
    total: 'Total',
    amountPaid: 'Montant payé',
    amountDue: 'Montant à payer',
    paidWith: 'Payé le {date} avec {card}.',
    chargedTo: 'Votre carte {card} sera débitée le {date}. Vous n’avez rien à faire.',
    period: 'Du {start} au {end}',
    timeZone: 'Les dates sont dans le fuseau horaire {zone}.',
  },
  es: {
    title: 'Factura',
    number: 'Número de factura',
    receiptTitle: 'Recibo',
    receiptNumber: 'Número de recibo',
    payment: 'Pago',
    issuedOn: 'Fecha de emisión',
    paidOn: 'Fecha de pago',
    dueOn: 'Fecha de vencimiento',
    billTo: 'Facturar a',
    paid: '{amount} pagados el {date}',
    due: '{amount} a pagar el {date}',
    paymentNumber: 'Pago {number}',
    installmentOf: 'Cuota {number} de {of}',
    description: 'Descripción',
    quantity: 'Cant.',
    unitPrice: 'Precio unitario',
    amount: 'Importe',
    subtotal: 'Subtotal',
    tax: 'Impuestos',
    surcharge: 'Recargo por tarjeta de crédito',
    total: 'Total',
    amountPaid: 'Importe pagado',
    amountDue: 'Importe a pagar',
    paidWith: 'Pagado el {date} con {card}.',
    chargedTo: 'El cargo se hará en su tarjeta {card} el {date}. No tiene que hacer nada.',
    period: 'Del {start} al {end}',
    timeZone: 'Las fechas están en la zona horaria {zone}.',
  },
}

/** Fills in the placeholders of a text. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? ''))
}
