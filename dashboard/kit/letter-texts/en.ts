export const en = {
  resend: 'Send again',
  resent: 'The letter is sent again',
}
