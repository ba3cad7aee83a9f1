declare module "*/LICENSE" {
  const text: string;
  export default text;
}
declare module "*/LICENSE.md" {
  const text: string;
  export default text;
}
