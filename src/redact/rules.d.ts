declare module "*/rules.txt" {
  const text: string;
  export default text;
}
