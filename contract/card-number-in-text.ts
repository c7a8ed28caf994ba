/** What a field is told that holds a card number and is not the one for it. */
export const CARD_NUMBER_IN_TEXT = 'must not contain a card number'
