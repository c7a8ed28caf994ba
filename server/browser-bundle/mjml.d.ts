declare module 'mjml' {
  export default function mjml2html(
    mjml: string,
    options: { validationLevel: 'soft'; keepComments: boolean },
  ): Promise<{ html: string; errors: { formattedMessage: string }[] }>
}
