import type { Locale } from '../../../contract/payment-page.ts'
import type { Contract } from '../../subscriptions/contract.ts'

/** Texts of a printed contract. */
export interface ContractPdfTexts {
  /** Name of the document, printed before its number. */
  contract: string
  number: string
  status: string
  statuses: Record<Contract['status'], string>
  created: string
  sent: string
  voided: string
  customer: string
  signature: string
  signer: string
  signedAt: string
  signedFrom: string
  /** Note below a signature. */
  signedNote: string
  /** Note below a signature that came from where a member of the team was seen. */
  teamSeenThere: string
  /** Note in place of a missing signature. */
  unsigned: string
}

export const CONTRACT_PDF_TEXTS: Record<Locale, ContractPdfTexts> = {
  en: {
    contract: 'Contract',
    number: 'Contract number',
    status: 'Status',
    statuses: { draft: 'Draft, not signed', sent: 'Sent, not signed', signed: 'Signed', void: 'Void' },
    created: 'Written',
    sent: 'Sent',
    voided: 'Void since',
    customer: 'Customer',
    signature: 'Signature',
    signer: 'Signed by',
    signedAt: 'Signed on',
    signedFrom: 'From IP address',
    signedNote:
      'The name was typed and the consent ticked on the page that shows this text. The text under this contract number never changes.',
    teamSeenThere:
      'Signed from an address or in a browser from which a member of the team had signed in within the 30 days before. That alone does not say who signed.',
    unsigned: 'Nobody has signed this contract.',
  },
  'fr-CA': {
    contract: 'Contrat',
    number: 'Numéro de contrat',
    status: 'État',
    statuses: { draft: 'Brouillon, non signé', sent: 'Envoyé, non signé', signed: 'Signé', void: 'Annulé' },
    created: 'Rédigé le',
    sent: 'Envoyé le',
    voided: 'Annulé le',
    customer: 'Client',
    signature: 'Signature',
    signer: 'Signé par',
    signedAt: 'Signé le',
    signedFrom: 'Depuis l’adresse IP',
    signedNote:
      'Le nom a été tapé et le consentement coché sur la page qui montre ce texte. Le texte de ce numéro de contrat ne change jamais.',
    teamSeenThere:
      'Signé depuis une adresse ou dans un navigateur d’où un membre de l’équipe s’était connecté dans les 30 jours précédents. Cela seul ne dit pas qui a signé.',
    unsigned: 'Personne n’a signé ce contrat.',
  },
  es: {
    contract: 'Contrato',
    number: 'Número de contrato',
    status: 'Estado',
    statuses: { draft: 'Borrador, sin firmar', sent: 'Enviado, sin firmar', signed: 'Firmado', void: 'Anulado' },
    created: 'Redactado el',
    sent: 'Enviado el',
    voided: 'Anulado el',
    customer: 'Cliente',
    signature: 'Firma',
    signer: 'Firmado por',
    signedAt: 'Firmado el',
    signedFrom: 'Desde la dirección IP',
    signedNote:
      'El nombre se escribió y el consentimiento se marcó en la página que muestra este texto. El texto de este número de contrato no cambia nunca.',
    teamSeenThere:
      'Firmado desde una dirección o en un navegador desde donde un miembro del equipo había iniciado sesión en los 30 días anteriores. Eso por sí solo no dice quién firmó.',
    unsigned: 'Nadie ha firmado este contrato.',
  },
}
