/** The message for a card number in a field that is not meant for one. */
export const CARD_NUMBER_IN_TEXT = 'must not contain a card number'
