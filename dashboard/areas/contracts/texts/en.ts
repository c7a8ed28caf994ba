export const en = {
  title: 'Contracts',
  new: 'New contract',
  nothing: 'No contracts yet',
  nothingText: 'A contract is a text that a customer signs before their subscription is charged.',
  name: 'Title',
  number: 'Contract number',
  customer: 'Customer',
  status: 'Status',
  subscription: 'Subscription',
  showSubscription: 'Show the subscription',
  created: 'Created',
  sentAt: 'Sent',
  signedAt: 'Signed',
  voidedAt: 'Voided',
  search: 'Title, signer, customer or number',
  draft: 'Draft',
  sent: 'Sent',
  signed: 'Signed',
  void: 'Void',
  awaited: 'Bills wait for it',
  awaitedText: 'Nothing of {what} is charged before the customer has signed. The next bill is {amount} on {day}.',
  awaitedNoBill: 'Nothing of {what} is charged before the customer has signed.',
  replaceable: 'A subscription needs another one',
  replaceableText: 'Nothing of {what} is charged until another contract for it is signed.',
  writeAnother: 'Write another contract',
  details: 'Details',
  text: 'Text',
  signature: 'Signature',
  signer: 'Signed by',
  signedFrom: 'From address',
  teamSeenThere:
    'Signed from an address or in a browser from which a member of the team had signed in within the 30 days before. That alone does not say who signed.',
  unchangeable: 'A signed contract does not change any more.',
  downloadPdf: 'Download PDF',
  print: 'Print',
  link: 'Link to sign',
  linkText: 'The customer reads and signs the contract on this page.',
  sendVerb: 'Send',
  sendTitle: 'Send the contract?',
  sendText:
    'The customer gets a letter to {email} with the link to read and sign "{title}". Its text cannot be changed.',
  sendNoEmail: 'The customer has no e-mail address. "{title}" can be signed from now on, and you give them the link.',
  sentTo: 'The letter to {email} is on its way.',
  sentNoLetter: 'The contract can be signed now. Give the customer the link.',
  resendVerb: 'Send again',
  resendTitle: 'Send the letter again?',
  resendText: 'The customer gets another letter to {email} with the same link.',
  voidVerb: 'Void the contract',
  voidTitle: 'Void the contract?',
  voidText:
    '"{title}" can no longer be signed. What is linked to it is not charged until another contract for it is signed.',
  voided: 'The contract is void.',
  linkVerb: 'Link to a subscription',
  linkTitle: 'Link to a subscription',
  linkDialogText: 'Nothing of the subscription is charged before the contract is signed.',
  linkNone: 'The customer has no subscription that could be linked.',
  linked: 'The contract is linked.',
  newText:
    'Write the text, or begin with the template. Placeholders are filled from the customer and the subscription.',
  forWhom: 'Customer',
  forWhomHint: 'Type a part of the name or the e-mail address.',
  noSubscription: 'None',
  subscriptionHint: 'Nothing of it is charged before the contract is signed.',
  language: 'Language of amounts and dates',
  useTemplate: 'Begin with the template',
  placeholders: 'Placeholders',
  placeholdersHint: 'Click one to add it at the end of the text.',
  preview: 'Preview',
  previewHint: 'Choose a customer and write a text to see what they will read.',
  unfilled: 'No value is known for {names}. Choose a subscription, or write this part yourself.',
  create: 'Save the draft',
  needsAll: 'Choose a customer, and enter a title and a text.',
  templateTitle: 'Subscription agreement',
  template: `{{business_name}} and {{customer_name}} agree on {{today}}:

1. {{business_name}} provides {{subscription}} from {{start_date}} on.

2. {{customer_name}} pays {{amount}} {{frequency}}. The card that {{customer_name}} enters is charged without further notice on each billing date.

3. {{customer_name}} may cancel at any time before the next billing date.`,
  templateAlone: `{{business_name}} and {{customer_name}} agree on {{today}}:

1. {{business_name}} provides what {{customer_name}} subscribes to.

2. {{customer_name}} pays the price of the subscription. The card that {{customer_name}} enters is charged without further notice on each billing date.

3. {{customer_name}} may cancel at any time before the next billing date.`,
}
