import type { Translated } from '../../../../contract/text.ts'
import type { en } from './en.ts'

export const frCA: Translated<typeof en> = {
  title: 'Contrats',
  new: 'Nouveau contrat',
  nothing: 'Aucun contrat pour le moment',
  nothingText: 'Un contrat est un texte que le client signe avant que son abonnement soit débité.',
  name: 'Titre',
  number: 'Numéro de contrat',
  customer: 'Client',
  status: 'État',
  subscription: 'Abonnement',
  showSubscription: 'Voir l’abonnement',
  created: 'Création',
  sentAt: 'Envoi',
  signedAt: 'Signature',
  voidedAt: 'Annulation',
  search: 'Titre, signataire, client ou numéro',
  draft: 'Brouillon',
  sent: 'Envoyé',
  signed: 'Signé',
  void: 'Nul',
  awaited: 'Des factures l’attendent',
  awaitedText:
    'Rien de {what} n’est débité avant la signature du client. La prochaine facture est de {amount} le {day}.',
  awaitedNoBill: 'Rien de {what} n’est débité avant la signature du client.',
  replaceable: 'Un abonnement en demande un autre',
  replaceableText: 'Rien de {what} n’est débité avant la signature d’un autre contrat pour cet abonnement.',
  writeAnother: 'Rédiger un autre contrat',
  details: 'Détails',
  text: 'Texte',
  signature: 'Signature',
  signer: 'Signé par',
  signedFrom: 'Depuis l’adresse',
  teamSeenThere:
    'Signé depuis une adresse ou dans un navigateur d’où un membre de l’équipe s’était connecté dans les 30 jours précédents. Cela seul ne dit pas qui a signé.',
  unchangeable: 'Un contrat signé ne change plus.',
  downloadPdf: 'Télécharger le PDF',
  print: 'Imprimer',
  link: 'Lien pour signer',
  linkText: 'Le client lit et signe le contrat sur cette page.',
  sendVerb: 'Envoyer',
  sendTitle: 'Envoyer le contrat?',
  sendText:
    'Le client reçoit à {email} un courriel avec le lien pour lire et signer « {title} ». Le texte ne peut plus changer.',
  sendNoEmail:
    'Le client n’a pas d’adresse courriel. « {title} » pourra être signé dès maintenant, et vous lui donnez le lien.',
  sentTo: 'Le courriel à {email} est en route.',
  sentNoLetter: 'Le contrat peut être signé. Donnez le lien au client.',
  resendVerb: 'Envoyer de nouveau',
  resendTitle: 'Envoyer le courriel de nouveau?',
  resendText: 'Le client reçoit à {email} un autre courriel avec le même lien.',
  voidVerb: 'Annuler le contrat',
  voidTitle: 'Annuler le contrat?',
  voidText:
    '« {title} » ne pourra plus être signé. Ce qui y est lié n’est pas débité avant la signature d’un autre contrat.',
  voided: 'Le contrat est nul.',
  linkVerb: 'Lier à un abonnement',
  linkTitle: 'Lier à un abonnement',
  linkDialogText: 'Rien de l’abonnement n’est débité avant la signature du contrat.',
  linkNone: 'Le client n’a pas d’abonnement qui pourrait être lié.',
  linked: 'Le contrat est lié.',
  newText:
    'Rédigez le texte ou commencez par le modèle. Les champs sont remplis à partir du client et de l’abonnement.',
  forWhom: 'Client',
  forWhomHint: 'Tapez une partie du nom ou de l’adresse courriel.',
  noSubscription: 'Aucun',
  subscriptionHint: 'Rien n’en est débité avant la signature du contrat.',
  language: 'Langue des montants et des dates',
  useTemplate: 'Commencer par le modèle',
  placeholders: 'Champs',
  placeholdersHint: 'Cliquez sur un champ pour l’ajouter à la fin du texte.',
  preview: 'Aperçu',
  previewHint: 'Choisissez un client et écrivez un texte pour voir ce qu’il lira.',
  unfilled: 'Aucune valeur n’est connue pour {names}. Choisissez un abonnement ou écrivez cette partie vous-même.',
  create: 'Enregistrer le brouillon',
  needsAll: 'Choisissez un client et entrez un titre et un texte.',
  templateTitle: 'Contrat d’abonnement',
  template: `{{business_name}} et {{customer_name}} conviennent le {{today}} :

1. {{business_name}} fournit {{subscription}} à partir du {{start_date}}.

2. {{customer_name}} paie {{amount}} {{frequency}}. La carte que {{customer_name}} entre est débitée sans autre avis à chaque date de facturation.

3. {{customer_name}} peut annuler en tout temps avant la prochaine date de facturation.`,
  templateAlone: `{{business_name}} et {{customer_name}} conviennent le {{today}} :

1. {{business_name}} fournit ce à quoi {{customer_name}} s’abonne.

2. {{customer_name}} paie le prix de l’abonnement. La carte que {{customer_name}} entre est débitée sans autre avis à chaque date de facturation.

3. {{customer_name}} peut annuler en tout temps avant la prochaine date de facturation.`,
}
