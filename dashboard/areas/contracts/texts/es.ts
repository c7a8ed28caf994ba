import type { Translated } from '../../../../contract/text.ts'
import type { en } from './en.ts'

export const es: Translated<typeof en> = {
  title: 'Contratos',
  new: 'Nuevo contrato',
  nothing: 'Aún no hay contratos',
  nothingText: 'Un contrato es un texto que el cliente firma antes de que se cobre su suscripción.',
  name: 'Título',
  number: 'Número de contrato',
  customer: 'Cliente',
  status: 'Estado',
  subscription: 'Suscripción',
  showSubscription: 'Ver la suscripción',
  created: 'Creación',
  sentAt: 'Envío',
  signedAt: 'Firma',
  voidedAt: 'Anulación',
  search: 'Título, firmante, cliente o número',
  draft: 'Borrador',
  sent: 'Enviado',
  signed: 'Firmado',
  void: 'Anulado',
  awaited: 'Hay facturas que lo esperan',
  awaitedText: 'No se cobra nada de {what} antes de que el cliente firme. La próxima factura es de {amount} el {day}.',
  awaitedNoBill: 'No se cobra nada de {what} antes de que el cliente firme.',
  replaceable: 'Una suscripción necesita otro',
  replaceableText: 'No se cobra nada de {what} hasta que se firme otro contrato para esta suscripción.',
  writeAnother: 'Redactar otro contrato',
  details: 'Detalles',
  text: 'Texto',
  signature: 'Firma',
  signer: 'Firmado por',
  signedFrom: 'Desde la dirección',
  teamSeenThere:
    'Firmado desde una dirección o en un navegador desde donde un miembro del equipo había iniciado sesión en los 30 días anteriores. Eso por sí solo no dice quién firmó.',
  unchangeable: 'Un contrato firmado ya no cambia.',
  downloadPdf: 'Descargar el PDF',
  print: 'Imprimir',
  link: 'Enlace para firmar',
  linkText: 'El cliente lee y firma el contrato en esta página.',
  sendVerb: 'Enviar',
  sendTitle: '¿Enviar el contrato?',
  sendText:
    'El cliente recibe en {email} un correo con el enlace para leer y firmar «{title}». El texto ya no se puede cambiar.',
  sendNoEmail:
    'El cliente no tiene correo electrónico. «{title}» se podrá firmar desde ahora, y usted le da el enlace.',
  sentTo: 'El correo a {email} está en camino.',
  sentNoLetter: 'El contrato ya se puede firmar. Dé el enlace al cliente.',
  resendVerb: 'Enviar otra vez',
  resendTitle: '¿Enviar el correo otra vez?',
  resendText: 'El cliente recibe en {email} otro correo con el mismo enlace.',
  voidVerb: 'Anular el contrato',
  voidTitle: '¿Anular el contrato?',
  voidText: '«{title}» ya no se podrá firmar. Lo que está vinculado a él no se cobra hasta que se firme otro contrato.',
  voided: 'El contrato está anulado.',
  linkVerb: 'Vincular a una suscripción',
  linkTitle: 'Vincular a una suscripción',
  linkDialogText: 'No se cobra nada de la suscripción antes de que se firme el contrato.',
  linkNone: 'El cliente no tiene ninguna suscripción que se pueda vincular.',
  linked: 'El contrato está vinculado.',
  newText:
    'Escriba el texto o empiece con la plantilla. Los campos se rellenan con los datos del cliente y de la suscripción.',
  forWhom: 'Cliente',
  forWhomHint: 'Escriba una parte del nombre o del correo electrónico.',
  noSubscription: 'Ninguna',
  subscriptionHint: 'No se cobra nada de ella antes de que se firme el contrato.',
  language: 'Idioma de importes y fechas',
  useTemplate: 'Empezar con la plantilla',
  placeholders: 'Campos',
  placeholdersHint: 'Pulse uno para agregarlo al final del texto.',
  preview: 'Vista previa',
  previewHint: 'Elija un cliente y escriba un texto para ver lo que leerá.',
  unfilled: 'No se conoce ningún valor para {names}. Elija una suscripción o escriba esta parte usted mismo.',
  create: 'Guardar el borrador',
  needsAll: 'Elija un cliente y escriba un título y un texto.',
  templateTitle: 'Contrato de suscripción',
  template: `{{business_name}} y {{customer_name}} acuerdan el {{today}}:

1. {{business_name}} proporciona {{subscription}} a partir del {{start_date}}.

2. {{customer_name}} paga {{amount}} {{frequency}}. La tarjeta que {{customer_name}} introduce se cobra sin otro aviso en cada fecha de facturación.

3. {{customer_name}} puede cancelar en cualquier momento antes de la próxima fecha de facturación.`,
  templateAlone: `{{business_name}} y {{customer_name}} acuerdan el {{today}}:

1. {{business_name}} proporciona aquello a lo que {{customer_name}} se suscribe.

2. {{customer_name}} paga el precio de la suscripción. La tarjeta que {{customer_name}} introduce se cobra sin otro aviso en cada fecha de facturación.

3. {{customer_name}} puede cancelar en cualquier momento antes de la próxima fecha de facturación.`,
}
