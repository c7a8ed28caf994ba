import type { LetterName } from '../../../contract/letters.ts'

export const es: Record<LetterName, string> = {
  'customer.subscription_link': 'La suscripción espera su tarjeta',
  'customer.subscription_created': 'Suscripción creada',
  'customer.payment_succeeded': 'Recibo de pago',
  'customer.payment_failed': 'Pago rechazado',
  'customer.retries_exhausted': 'Último intento rechazado',
  'customer.refund': 'Reembolso',
  'customer.card_link': 'Se necesita una tarjeta nueva',
  'customer.card_request': 'Se pide guardar una tarjeta',
  'customer.contract_link': 'Contrato por firmar',
  'customer.card_expiring': 'La tarjeta vence pronto',
  'customer.upcoming_renewal': 'Renovación próxima',
  'merchant.payment_succeeded': 'Factura pagada',
  'merchant.payment_failed': 'Factura rechazada',
  'merchant.retries_exhausted': 'Último intento de una factura rechazado',
  'merchant.endpoint_disabled': 'Punto de conexión desactivado',
  'person.password_reset': 'Contraseña nueva',
  'person.invitation': 'Invitación',
  'person.factors_reset': 'Segundos factores eliminados',
  'person.account_changed': 'Cuenta modificada',
}
