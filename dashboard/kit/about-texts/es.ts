import type { About } from '../../../contract/dashboard/about.ts'

export const es: Record<About['type'], string> = {
  payment: 'Pago',
  subscription: 'Suscripción',
  customer: 'Cliente',
  contract: 'Contrato',
  product: 'Producto',
  checkout_session: 'Enlace de pago',
  webhook_endpoint: 'Punto de conexión',
}
